package fault

// Fields collects the messages for invalid fields, in the order of the form.
type Fields struct {
	first     string
	sentences map[string]string
}

// Refuse adds the message for a field. Only a field's first message is kept.
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

// Err returns nil if no field is invalid, else a fault with the code validation, the message of the first field, and
// all messages.
func (f *Fields) Err() error {
	if len(f.sentences) == 0 {
		return nil
	}
	return &Fault{Kind: Invalid, Code: "validation", Sentence: f.first, Fields: f.sentences}
}

// Field returns the fault for a single invalid field.
func Field(field, sentence string) error {
	var f Fields
	f.Refuse(field, sentence)
	return f.Err()
}
