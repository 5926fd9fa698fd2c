print("onward")
