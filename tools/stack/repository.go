package stack

import (
	"os"
	"path/filepath"
)

// FindRoot returns the repository: the working directory or, if it has no go.work, the nearest parent folder with one.
// It returns Advice if there is none.
func FindRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.work")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", advise("%s is not inside Baari's repository: change into it and run this again.", dir)
		}
	}
}

// DataFolder returns the absolute path of data, or of .baari in the repository if data is "".
func DataFolder(root, data string) (string, error) {
	if data == "" {
		data = filepath.Join(root, ".baari")
	}
	return filepath.Abs(data)
}
