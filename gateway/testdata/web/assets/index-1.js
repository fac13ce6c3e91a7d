console.log("plain, plain, plain, plain, plain, plain, plain, plain, plain, plain")
