module baari.dev/services

go 1.26
