package page

import (
	_ "embed"
	"encoding/json"
)

//go:embed worker.js
var workerScript string

// Worker is the script that shows a push message, with its texts in every language.
var Worker = func() []byte {
	words := map[string]map[string]string{}
	for language, all := range texts {
		words[language] = map[string]string{}
		for _, key := range []string{"token", "near", "called", "calledDesk"} {
			words[language][key] = all[key]
		}
	}
	data, err := json.Marshal(words)
	if err != nil {
		panic(err) // maps of texts
	}
	return []byte("'use strict'\nvar words = " + string(data) + "\n" + workerScript)
}()
