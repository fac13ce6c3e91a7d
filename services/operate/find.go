package operate

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"baari.dev/services/contract"
	"baari.dev/services/contract/registry"
	"baari.dev/services/operate/advice"
	"baari.dev/services/platform/identity"
)

// Find returns the installation whose system runs on the data folder at the path data or, if data is "", the one that
// the environment names: NAME_URL for each service and SERVICE_KEY or SERVICE_KEY_FILE. An address may be missing until
// its service is called; without any address the installation is the process on this machine that runs all services. It
// returns Advice if there is no installation.
func Find(data string) (Installation, error) {
	if data != "" {
		return inFolder(data)
	}
	found := Installation{Addresses: map[string]string{}}
	here := !Configured()
	for i, service := range registry.Services {
		found.Addresses[service.Name] = os.Getenv(service.Variable())
		if here {
			found.Addresses[service.Name] = local(registry.LocalInternalPorts + 1 + i)
		}
	}
	key, err := secret("SERVICE_KEY")
	if err != nil {
		return found, err
	}
	if found.Keys, err = operatorKeys(key); err != nil {
		return found, advice.Errorf("Set SERVICE_KEY or SERVICE_KEY_FILE to the operator's key of the installation, and " +
			"AUTH_URL, VISITS_URL and so on to the internal addresses of its services where they are not on this machine; " +
			"or --data to the folder of a system on this machine.")
	}
	found.Keys.Secret, err = secret("SERVICE_SECRET")
	return found, err
}

// operatorKeys returns the keys of the operator, without public keys: the operator signs tokens and verifies none.
func operatorKeys(key string) (identity.Keys, error) {
	keys := identity.Keys{Name: contract.CallerOperator}
	return keys, keys.Private.UnmarshalText([]byte(key))
}

// Configured reports whether the environment names the address of any service.
func Configured() bool {
	for _, service := range registry.Services {
		if os.Getenv(service.Variable()) != "" {
			return true
		}
	}
	return false
}

// secret returns the value of a variable or, if NAME_FILE is set, the content of that file.
func secret(name string) (string, error) {
	path := os.Getenv(name + "_FILE")
	if path == "" {
		return os.Getenv(name), nil
	}
	text, err := os.ReadFile(path) //nolint:gosec // the operator names the file
	if err != nil {
		return "", advice.Errorf("The file of %s_FILE cannot be read: %v.", name, err)
	}
	return strings.TrimSpace(string(text)), nil
}

// inFolder reads what `baari up` writes into its data folder.
func inFolder(data string) (Installation, error) {
	found := Installation{Addresses: map[string]string{}}
	var processes []struct {
		Name         string
		InternalPort int `json:"internal_port"`
	}
	var secrets struct {
		Service string
		Keys    map[string]string
	}
	err := errors.Join(
		readJSON(filepath.Join(data, "run", "processes.json"), &processes),
		readJSON(filepath.Join(data, "secrets.json"), &secrets),
	)
	if errors.Is(err, os.ErrNotExist) {
		return found, advice.Errorf("No system runs on %s: start it with `go run ./tools/baari up --data %s`.", data, data)
	}
	if err != nil {
		return found, fmt.Errorf("read the data folder: %w", err)
	}
	if found.Keys, err = operatorKeys(secrets.Keys[contract.CallerOperator]); err != nil {
		return found, fmt.Errorf("read the operator's key: %w", err)
	}
	found.Keys.Secret = secrets.Service
	for _, process := range processes {
		if process.InternalPort != 0 {
			found.Addresses[process.Name] = local(process.InternalPort)
		}
	}
	return found, nil
}

func local(port int) string { return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// Administrator returns the address of a PostgreSQL role that can read and create every database of the installation.
// The address is that of the system on the data folder at the path data or, if data is "", the one in
// ADMIN_DATABASE_URL or ADMIN_DATABASE_URL_FILE. It returns Advice if there is none.
func Administrator(data string) (string, error) {
	if data == "" {
		address, err := secret("ADMIN_DATABASE_URL")
		if err == nil && address == "" {
			return "", advice.Errorf("Set ADMIN_DATABASE_URL or ADMIN_DATABASE_URL_FILE to the address of a PostgreSQL role" +
				" that can read and create every database of the installation, or --data to the folder of a system on this" +
				" machine.")
		}
		return address, err
	}
	var servers struct{ Postgres string }
	err := readJSON(filepath.Join(data, "run", "servers.json"), &servers)
	if errors.Is(err, os.ErrNotExist) {
		return "", advice.Errorf("No system runs on %s: start it with `go run ./tools/baari up --data %s`.", data, data)
	}
	return servers.Postgres, err
}

func readJSON(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
