// A receiver of webhooks that processes each event exactly once, also if it is killed at any moment. The id of
// the event and the effect of the event are stored in one transaction, before the answer. An event without an
// answer is sent again, and then its id shows that it has had its effect.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/standup"
	_ "modernc.org/sqlite"
)

const schema = `
CREATE TABLE IF NOT EXISTS received (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS standups (team TEXT, date TEXT, posted INTEGER, PRIMARY KEY (team, date));`

func main() {
	keys := strings.Fields(os.Getenv("WEBHOOK_SECRET"))
	if len(keys) == 0 {
		log.Fatal("WEBHOOK_SECRET is missing")
	}
	// FULL: a transaction that is committed also survives a loss of power.
	settings := "?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(5000)&_txlock=immediate"
	database, err := sql.Open("sqlite", "file:"+fromEnvironment("DATABASE", "standups.db")+settings)
	if err != nil {
		log.Fatal(err)
	}
	// SQLite has one writer at a time.
	database.SetMaxOpenConns(1)
	if _, err := database.Exec(schema); err != nil {
		log.Fatal(err)
	}
	server := &http.Server{
		Addr:              net.JoinHostPort(fromEnvironment("HOST", "127.0.0.1"), fromEnvironment("PORT", "4000")),
		Handler:           receive(database, keys),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
	}
	log.Fatal(server.ListenAndServe())
}

func fromEnvironment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func receive(database *sql.DB, keys []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			http.Error(w, "only POST", http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, "the body could not be read", http.StatusBadRequest)
			return
		}
		event, err := standup.VerifyWebhook(body, r.Header, keys...)
		if errors.Is(err, standup.ErrUnverified) {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err == nil {
			err = process(r.Context(), database, event)
		}
		if err != nil {
			log.Print(err)
			// The service sends the event again later.
			http.Error(w, "the event could not be stored", http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

// process stores the id of an event and its effect, or neither.
func process(ctx context.Context, database *sql.DB, event *standup.Event) error {
	transaction, err := database.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer transaction.Rollback()
	// The id is the header webhook-id, which is the same in each attempt and replay.
	inserted, err := transaction.ExecContext(ctx,
		"INSERT INTO received (id) VALUES (?) ON CONFLICT DO NOTHING", event.ID)
	if err != nil {
		return err
	}
	if count, err := inserted.RowsAffected(); err != nil || count == 0 {
		return err
	}
	if err := apply(ctx, transaction, event); err != nil {
		return err
	}
	return transaction.Commit()
}

// apply is the effect of an event: it counts the standups of each team and day. Put yours here. An effect
// outside of the database, such as a mail, belongs in a table of work that another loop sends from.
func apply(ctx context.Context, transaction *sql.Tx, event *standup.Event) error {
	if event.Type != "standup.created" {
		return nil
	}
	var posted *standup.Standup
	if err := json.Unmarshal(event.Data, &posted); err != nil {
		return err
	}
	if posted == nil {
		// The person was erased before the event was sent.
		return nil
	}
	_, err := transaction.ExecContext(ctx,
		"INSERT INTO standups (team, date, posted) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET posted = posted + 1",
		posted.TeamID, posted.Date)
	return err
}
