package stack

import (
	"fmt"
	"path/filepath"
)

// Running holds the addresses of a running system's services on this machine.
type Running struct {
	Internal      map[string]string // address of each service's internal listener, by name
	Admin         map[string]string // address of each program's admin listener, by name
	ServiceSecret string
}

// IsRunning reports whether a system runs on a data folder.
func IsRunning(data string) bool {
	var processes []Process
	return isLocked(data) && readJSON(filepath.Join(data, "run", "processes.json"), &processes) == nil
}

// FindRunning returns the system that runs on a data folder. It returns Advice if there is none.
func FindRunning(data string) (Running, error) {
	found := Running{Internal: map[string]string{}, Admin: map[string]string{}}
	var processes []Process
	if !isLocked(data) || readJSON(filepath.Join(data, "run", "processes.json"), &processes) != nil {
		return found, advise("No system runs on %s: start it with `go run ./tools/baari up`.", data)
	}
	secrets, err := loadSecrets(filepath.Join(data, "secrets.json"))
	if err != nil {
		return found, fmt.Errorf("find the running system: %w", err)
	}
	found.ServiceSecret = secrets.Service
	for _, process := range processes {
		if process.AdminPort != 0 {
			found.Admin[process.Name] = httpAddress(process.AdminPort)
		}
		if process.InternalPort != 0 {
			found.Internal[process.Name] = httpAddress(process.InternalPort)
		}
	}
	return found, nil
}
