// Package verify holds what the checks of the running system go by: the matrix of who may do what, the calls of the API
// documents, and the bad inputs. The checks themselves are the tests of verify/system.
package verify
