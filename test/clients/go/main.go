// The twenty calls of docs/clients.md. Each line that it prints is what one of them showed.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"time"

	"example.com/standup"
)

var found = map[string]any{}

func check(err error) {
	if err != nil {
		log.Panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

// refusal is what a program sees of a refused call.
func refusal(err error) map[string]any {
	var problem *standup.Problem
	if !errors.As(err, &problem) {
		return map[string]any{"no problem": fmt.Sprint(err)}
	}
	place := ""
	if len(problem.Errors) > 0 {
		place = problem.Errors[0].Pointer
	}
	return map[string]any{
		"status": problem.Status, "code": problem.Code, "pointer": place, "request_id": problem.RequestID != "",
	}
}

type delivery struct {
	body   []byte
	header http.Header
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	address := os.Getenv("STANDUP_URL")
	client := must(standup.New(address, os.Getenv("STANDUP_TOKEN")))
	reader := must(standup.New(address, os.Getenv("READER_TOKEN")))
	if os.Getenv("ONLY_POST") != "" {
		posted := must(client.PostStandup(ctx, standup.NewStandup{
			Team: standup.Ptr("platform"), Update: standup.Ptr("Sent four times."),
		}))
		found["posted"] = posted.Update
		report()
		return
	}

	me := must(client.GetMe(ctx))
	found["1 getMe"] = me.Role

	team := must(client.CreateTeam(ctx, standup.NewTeam{Slug: "crew", Name: standup.Ptr("Crew")}))
	must(client.SetTeamMember(ctx, team.ID, me.Principal.ID, nil))
	found["2 createTeam"] = team.Slug

	slugs := []string{}
	for one, err := range standup.Paginate(func(cursor *string) (*standup.Page[standup.Team], error) {
		return client.ListTeams(ctx, &standup.ListTeamsParams{Limit: standup.Ptr(1), Cursor: cursor})
	}) {
		slugs = append(slugs, must(one, err).Slug)
	}
	found["3 listTeams"] = slugs

	found["4 getTeam"] = must(client.GetTeam(ctx, "crew")).Name

	post := func(update string, options ...standup.CallOption) *standup.Posted {
		body := standup.NewStandup{Team: standup.Ptr("crew"), Update: standup.Ptr(update)}
		return must(client.PostStandup(ctx, body, options...))
	}
	posted := post("Fixed the printer.", standup.WithIdempotencyKey("once"))
	found["5 postStandup"] = posted.Update

	var response *http.Response
	again := post("Fixed the printer.", standup.WithIdempotencyKey("once"), standup.WithResponseInto(&response))
	found["6 the same key"] = []any{again.ID == posted.ID, response.Header.Get("Idempotent-Replayed")}

	read := must(client.GetStandup(ctx, posted.ID))
	found["7 getStandup"] = read.Update

	change := func(update string) (*standup.ShownStandup, error) {
		return client.EditStandup(ctx, read.ID, standup.StandupChange{Update: &update}, standup.IfMatch(read))
	}
	edited := must(change("Fixed both printers."))
	found["8 editStandup"] = []any{edited.Update, edited.Revision}

	_, err := change("Too late.")
	found["9 a stale object"] = refusal(err)

	post("Second.")
	post("Third.")
	updates := []string{}
	requests := 0
	for one, err := range standup.Paginate(func(cursor *string) (*standup.Page[standup.ShownStandup], error) {
		requests++
		return client.ListStandups(ctx, &standup.ListStandupsParams{
			Team: &[]string{"crew"}, Limit: standup.Ptr(2), Cursor: cursor, Order: standup.Ptr(standup.ListStandupsParamsOrderAsc),
		})
	}) {
		updates = append(updates, must(one, err).Update)
	}
	found["10 listStandups"] = []any{updates, requests}

	matches := must(client.ListStandups(ctx, &standup.ListStandupsParams{Q: standup.Ptr("printers")}))
	found["11 a search"] = []any{len(matches.Data), matches.Data[0].ID == posted.ID}

	day := must(client.GetTeamDay(ctx, "crew", "today"))
	found["12 getTeamDay"] = len(day.People[0].Standups)

	raised := must(client.RaiseBlocker(ctx, standup.NewBlocker{Team: "crew", Text: "No paper."}))
	found["13 raiseBlocker"] = raised.State

	resolved := must(client.ChangeBlocker(ctx, raised.ID, standup.BlockerChange{
		State: standup.Ptr(standup.BlockerChangeStateResolved),
	}, standup.IfMatch(raised)))
	found["14 changeBlocker"] = resolved.State

	absence := must(client.CreateAbsence(ctx, standup.NewAbsence{
		From: standup.Ptr("2026-12-24"), Until: standup.Ptr("2026-12-26"),
	}))
	found["15 createAbsence"] = []any{absence.From, *absence.Until}

	receiveWebhook(ctx, client)

	keepCursor(ctx, client, post)

	_, err = client.PostStandup(ctx, standup.NewStandup{Team: standup.Ptr("crew"), Update: standup.Ptr("")})
	found["19 a wrong body"] = refusal(err)
	_, err = reader.CreateTeam(ctx, standup.NewTeam{Slug: "more"})
	found["19 without the scope"] = refusal(err)

	check(client.DeleteStandup(ctx, edited.ID, standup.IfMatch(edited)))
	_, err = client.GetStandup(ctx, edited.ID)
	found["20 deleteStandup"] = refusal(err)
	report()
}

func receiveWebhook(ctx context.Context, client *standup.Client) {
	received := make(chan delivery, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		received <- delivery{must(io.ReadAll(r.Body)), r.Header}
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()
	webhook := must(client.CreateWebhook(ctx, standup.NewWebhook{
		URL:    receiver.URL,
		Events: []string{"standup.*"},
		SignatureVersions: &[]standup.NewWebhookSignatureVersions{
			standup.NewWebhookSignatureVersionsV1, standup.NewWebhookSignatureVersionsV1A,
		},
	}))
	must(client.TestWebhook(ctx, webhook.ID))
	var got delivery
	select {
	case got = <-received:
	case <-ctx.Done():
		log.Panic("no delivery came")
	}
	verify := func(body []byte, header http.Header, keys ...string) string {
		event, err := standup.VerifyWebhook(body, header, keys...)
		if err != nil {
			return fmt.Sprint(errors.Is(err, standup.ErrUnverified))
		}
		return event.Type
	}
	found["16 by v1, by v1a"] = []any{
		verify(got.body, got.header, webhook.Secret), verify(got.body, got.header, webhook.PublicKey),
	}
	changed := []byte(strings.Replace(string(got.body), "test", "tost", 1))
	found["16 changed"] = []any{
		verify(changed, got.header, webhook.Secret), verify(changed, got.header, webhook.PublicKey),
	}
	found["16 four and six minutes old"] = []any{
		verify(got.body, signedBefore(4*time.Minute, got, webhook.Secret), webhook.Secret),
		verify(got.body, signedBefore(6*time.Minute, got, webhook.Secret), webhook.Secret),
	}
	for {
		deliveries := must(client.ListDeliveries(ctx, webhook.ID, nil))
		found["17 listDeliveries"] = []any{len(deliveries.Data), deliveries.Data[0].State}
		if deliveries.Data[0].State == "succeeded" {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	check(client.DeleteWebhook(ctx, webhook.ID))
}

// signedBefore signs a delivery as the service did at an earlier time.
func signedBefore(age time.Duration, got delivery, secret string) http.Header {
	timestamp := strconv.FormatInt(time.Now().Add(-age).Unix(), 10)
	key := must(base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_")))
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", got.header.Get("Webhook-Id"), timestamp, got.body)
	header := got.header.Clone()
	header.Set("Webhook-Timestamp", timestamp)
	header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return header
}

func keepCursor(ctx context.Context, client *standup.Client, post func(string, ...standup.CallOption) *standup.Posted) {
	types := &standup.ListEventsParams{Types: standup.Ptr("standup.created")}
	kept := ""
	first := 0
	for batch, err := range client.FollowEvents(ctx, kept, types) {
		first, kept = len(must(batch, err).Events), batch.Cursor
		break
	}
	time.AfterFunc(300*time.Millisecond, func() { post("Posted while the feed waits.") })
	later := []string{}
	for batch, err := range client.FollowEvents(ctx, kept, types) {
		for _, event := range must(batch, err).Events {
			var data standup.Standup
			check(json.Unmarshal(event.Data, &data))
			later = append(later, data.Update)
		}
		if len(later) > 0 {
			break
		}
	}
	found["18 followEvents"] = []any{first, later}
}

func report() {
	fmt.Println(string(must(json.MarshalIndent(found, "", "\t"))))
}
