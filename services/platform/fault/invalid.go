package fault

// Fields collects the messages for invalid fields. Call Reject in the order of the form's fields, because the first
// message becomes the sentence of the error.
type Fields struct {
	first    Message
	messages map[string]Message
}

// Reject adds the message for a field. A field keeps only its first message.
func (f *Fields) Reject(field string, message Message) {
	if _, known := f.messages[field]; known {
		return
	}
	if f.messages == nil {
		f.messages = map[string]Message{}
		f.first = message
	}
	f.messages[field] = message
}

// Err returns nil if no field is invalid, else a fault with the code "validation", with all messages, and with the
// sentence and the values of the first.
func (f *Fields) Err() error {
	if len(f.messages) == 0 {
		return nil
	}
	return &Fault{
		Kind:     Invalid,
		Code:     codeValidation,
		Sentence: f.first.Sentence,
		Params:   f.first.Params,
		Fields:   f.messages,
	}
}

// Field returns the fault for a single invalid field.
func Field(field string, message Message) error {
	var f Fields
	f.Reject(field, message)
	return f.Err()
}
