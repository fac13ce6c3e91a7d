module baari.dev/tools

go 1.26
