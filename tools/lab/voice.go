package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"baari.dev/tools/stack"
	"baari.dev/tools/voice"
)

func voiceCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "voice", Short: "Make the voice packs of the screens in the waiting room"}
	cmd.AddCommand(&cobra.Command{
		Use:   "make [language...]",
		Short: "Speak the words of tools/voice/words.tsv and write the packs to web/public/voice",
		Long: `Speaks each word with espeak-ng, cuts its silence, sets its level, encodes it as Opus, and writes one
pack and one manifest for each language. Needs espeak-ng and opusenc (Debian: espeak-ng, opus-tools).`,
		RunE: func(cmd *cobra.Command, languages []string) error {
			root, err := stack.FindRoot()
			if err != nil {
				return err
			}
			return voice.Make(cmd.Context(), filepath.Join(root, voice.Folder), languages, cmd.OutOrStdout())
		},
	})
	return cmd
}
