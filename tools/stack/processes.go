package stack

import (
	"iter"
	"path/filepath"
	"slices"

	"baari.dev/tools/sample/client"
)

// Process is one entry of processes.json, which tests and developers read to find ports, logs and process ids.
type Process struct {
	Name         string `json:"name"`
	PID          int    `json:"pid"`
	Port         int    `json:"port"`
	InternalPort int    `json:"internal_port"`
	AdminPort    int    `json:"admin_port"`
	Log          string `json:"log"`
}

// parts returns the targets of a program, or the program itself if it has no targets.
func (s Spec) parts() []Process {
	if len(s.Targets) > 0 {
		return s.Targets
	}
	return []Process{{Name: s.Name, Port: s.Port, InternalPort: s.InternalPort}}
}

// Processes lists the running processes in the order in which they were started. If a process has several targets, each
// target has an entry, with the process id, the admin port and the log of the process.
func (s *Stack) Processes() []Process {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Process
	for _, children := range s.children {
		for _, child := range children {
			for _, process := range child.spec.parts() {
				process.PID, process.Log, process.AdminPort = child.PID(), child.spec.Log, child.spec.AdminPort
				all = append(all, process)
			}
		}
	}
	return all
}

// Process returns a running process by its name.
func (s *Stack) Process(name string) Process {
	all := s.Processes()
	return all[slices.IndexFunc(all, func(p Process) bool { return p.Name == name })]
}

// Admin returns the address of the admin listener of each entry of Processes, keyed by the entry's name.
func (s *Stack) Admin() map[string]string { return adminAddresses(s.Processes()) }

// Metrics yields the address of each admin listener, in the order of starting, with the name of its program.
func (s *Stack) Metrics() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		s.mu.Lock()
		children := slices.Concat(s.children[:]...)
		s.mu.Unlock()
		for _, child := range children {
			if child.spec.AdminPort != 0 && !yield(child.Name(), httpAddress(child.spec.AdminPort)) {
				return
			}
		}
	}
}

func adminAddresses(processes []Process) map[string]string {
	all := map[string]string{}
	for _, process := range processes {
		if process.AdminPort != 0 {
			all[process.Name] = httpAddress(process.AdminPort)
		}
	}
	return all
}

// IsRunning reports whether a system runs on a data folder.
func IsRunning(data string) bool {
	var processes []Process
	return isLocked(data) && readJSON(filepath.Join(data, "run", "processes.json"), &processes) == nil
}

// Find returns the site and the demo accounts of a data folder's system. It returns Advice if none runs.
func Find(data string) (site string, accounts []client.Account, err error) {
	var processes []Process
	var secrets Secrets
	if !isLocked(data) || readJSON(filepath.Join(data, "run", "processes.json"), &processes) != nil ||
		readJSON(filepath.Join(data, "secrets.json"), &secrets) != nil {
		return "", nil, advise("No system runs on %s: start it with `go run ./tools/baari up`.", data)
	}
	for _, process := range processes {
		if process.Name == "gateway" {
			site = Options{Port: process.Port}.url()
		}
	}
	return site, secrets.accounts(), nil
}

func (s *Stack) listProcesses() {
	s.listing.Lock()
	defer s.listing.Unlock()
	if err := WriteJSON(s.folder.Processes(), s.Processes()); err != nil {
		s.progress.Printf("%v", explain(err, s.folder.Path()))
	}
}
