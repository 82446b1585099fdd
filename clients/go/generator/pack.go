// Writes a folder as the zip of a Go module: go run pack.go FOLDER PREFIX OUTPUT.
package main

import (
	"archive/zip"
	"io/fs"
	"log"
	"os"
)

func main() {
	folder, prefix, output := os.DirFS(os.Args[1]), os.Args[2], os.Args[3]
	file, err := os.Create(output)
	check(err)
	archive := zip.NewWriter(file)
	check(fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(folder, name)
		check(err)
		writer, err := archive.Create(prefix + name)
		check(err)
		_, err = writer.Write(content)
		return err
	}))
	check(archive.Close())
	check(file.Close())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
