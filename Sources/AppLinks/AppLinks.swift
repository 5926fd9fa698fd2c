// AppLinks
