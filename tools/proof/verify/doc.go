// Package verify reads the inputs of the tests in verify/system: the matrix of access rules, the operations of the
// API documents, and the invalid inputs.
package verify
