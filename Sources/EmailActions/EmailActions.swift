// EmailActions
