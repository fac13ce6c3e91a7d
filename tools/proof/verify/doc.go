// Package verify reads the inputs of the tests in verify/system: the matrix of access rules, the operations of the
// API documents, the rate limits in the code, and the invalid inputs.
package verify
