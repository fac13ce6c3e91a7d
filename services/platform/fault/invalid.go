package fault

// Fields collects the sentences of fields that were refused, in the order of the form.
type Fields struct {
	first     string
	sentences map[string]string
}

// Refuse notes the sentence of one field. A field's first sentence stays.
func (f *Fields) Refuse(field, sentence string) {
	if _, known := f.sentences[field]; known {
		return
	}
	if f.sentences == nil {
		f.sentences = map[string]string{}
		f.first = sentence
	}
	f.sentences[field] = sentence
}

// Err is nil when no field was refused, else a fault of code validation that says the first
// field's sentence and holds all of them.
func (f *Fields) Err() error {
	if len(f.sentences) == 0 {
		return nil
	}
	return &Fault{Kind: Invalid, Code: "validation", Sentence: f.first, Fields: f.sentences}
}

// Field is the fault of a single refused field.
func Field(field, sentence string) error {
	var f Fields
	f.Refuse(field, sentence)
	return f.Err()
}
