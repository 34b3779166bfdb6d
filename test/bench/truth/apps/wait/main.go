// An app without a probe: each request takes a connection of a fixed pool and holds it while the database waits.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	_ "github.com/lib/pq"
)

func open() (*sql.DB, *sql.Stmt, error) {
	address, err := url.Parse(os.Getenv("DATABASE_URL"))
	if err != nil {
		return nil, nil, fmt.Errorf("DATABASE_URL: %w", err)
	}
	query := address.Query()
	if query.Get("sslmode") == "" {
		query.Set("sslmode", "disable")
		address.RawQuery = query.Encode()
	}
	size, err := strconv.Atoi(os.Getenv("DB_POOL_SIZE"))
	if err != nil || size < 1 {
		return nil, nil, errors.New("DB_POOL_SIZE must be a whole number from 1")
	}
	database, err := sql.Open("postgres", address.String())
	if err != nil {
		return nil, nil, err
	}
	database.SetMaxOpenConns(size)
	database.SetMaxIdleConns(size)
	wait, err := database.Prepare("SELECT pg_sleep($1::integer / 1000.0)")
	return database, wait, err
}

func main() {
	database, wait, err := open()
	if err != nil {
		log.Fatal(err)
	}
	defer database.Close()
	http.HandleFunc("/health", func(response http.ResponseWriter, _ *http.Request) { fmt.Fprint(response, "ok") })
	http.HandleFunc("/wait", func(response http.ResponseWriter, request *http.Request) {
		ms, err := strconv.Atoi(request.URL.Query().Get("ms"))
		if err != nil || ms < 0 || ms > 10_000 {
			http.Error(response, "ms must be a whole number from 0 to 10000", http.StatusBadRequest)
			return
		}
		if _, err := wait.ExecContext(request.Context(), ms); err != nil {
			http.Error(response, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintf(response, "{\"waitedMs\":%d}", ms)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-ended
		limited, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(limited)
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}
