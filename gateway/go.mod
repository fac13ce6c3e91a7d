module baari.dev/gateway

go 1.26
