package directory

import (
	"context"
	"net/http"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
)

func (s *Service) voiceRoutes() []endpoint.Route {
	admin := endpoint.Roles(contract.RoleAdmin)
	heard := endpoint.Roles(contract.RoleAdmin, contract.RoleDisplay)
	const one = "/api/office/voice/{language}"
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/api/office/voice", Access: heard, Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, s.listVoicePacks)},
		{Method: http.MethodGet, Pattern: one, Access: heard, Limit: limit.Product,
			Handler: endpoint.JSON(readLanguage, s.getVoicePack)},
		{Method: http.MethodPut, Pattern: one, Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(readSavePack, s.putVoicePack)},
		{Method: http.MethodDelete, Pattern: one, Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(readLanguage, s.DeleteVoicePack)},
	}
}

func readLanguage(r *http.Request) (string, error) { return r.PathValue("language"), nil }

// Bounds of a recorded pack.
const (
	largestPack    = 1 << 20 // limit of the request, in bytes
	longestClip    = 16 << 10
	longestSpeaker = 80
)

// Messages for invalid fields of a recorded pack.
var (
	speakerMissing = fault.NewMessage(fault.CodeRequired, "The speaker's name is required")
	speakerLong    = fault.NewMessage(fault.CodeTooLong, "Please shorten the speaker's name to 80 characters").
			With("max", longestSpeaker)
	speakerIllegal = fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the speaker's name")
	consentMissing = fault.NewMessage(fault.CodeRequired, "The speaker's consent is required")
	clipsWrong     = fault.NewMessage(fault.CodeInvalidCount, "Please record all 120 words, each of 16 KiB at most").
			With("min", len(clipNames)).With("max", len(clipNames))
)

// savePack is a validated request to store a voice pack that the office has recorded.
type savePack struct {
	Language, Speaker string
	Clips             map[string][]byte
}

func readSavePack(r *http.Request) (savePack, error) {
	var body struct {
		Speaker wire.Field[string]            `json:"speaker"`
		Consent wire.Field[bool]              `json:"consent"`
		Clips   wire.Field[map[string][]byte] `json:"clips"`
	}
	if err := wire.ReadUpTo(r, largestPack, &body); err != nil {
		return savePack{}, err
	}
	var rejected fault.Fields
	req := savePack{
		Language: r.PathValue("language"), Clips: body.Clips.Value,
		Speaker: readLine(body.Speaker, "speaker", longestSpeaker, speakerMissing, speakerIllegal, speakerLong, &rejected),
	}
	if !body.Consent.Value {
		rejected.Reject("consent", consentMissing)
	}
	if !validClips(req.Clips) {
		rejected.Reject("clips", clipsWrong)
	}
	return req, rejected.Err()
}

type packBody struct {
	Language   string    `json:"language"`
	Version    int64     `json:"version"`
	Speaker    string    `json:"speaker"`
	RecordedAt wire.Time `json:"recordedAt"`
	RecordedBy string    `json:"recordedBy"`
}

func packOf(p voicePack) packBody {
	return packBody{p.Language, p.Version, p.Speaker, wire.Time(p.RecordedAt), p.RecordedByName}
}

type packsAnswer struct {
	Packs []packBody `json:"packs"`
}

type packAnswer struct {
	Pack packBody `json:"pack"`
}

type clipsAnswer struct {
	Pack  packBody          `json:"pack"`
	Clips map[string][2]int `json:"clips"`
	Bytes []byte            `json:"bytes"`
}

// nothing is a response without a body, with status 204.
type nothing struct{}

// StatusCode implements kithttp.StatusCoder.
func (nothing) StatusCode() int { return http.StatusNoContent }

func (s *Service) listVoicePacks(ctx context.Context, _ struct{}) (packsAnswer, error) {
	packs, err := s.VoicePacks(ctx)
	answer := packsAnswer{make([]packBody, len(packs))}
	for i, pack := range packs {
		answer.Packs[i] = packOf(pack)
	}
	return answer, err
}

func (s *Service) getVoicePack(ctx context.Context, language string) (clipsAnswer, error) {
	pack, err := s.VoicePack(ctx, language)
	return clipsAnswer{packOf(pack), pack.Clips, pack.Bytes}, err
}

func (s *Service) putVoicePack(ctx context.Context, req savePack) (packAnswer, error) {
	pack, err := s.SaveVoicePack(ctx, req)
	return packAnswer{packOf(pack)}, err
}
