package nasty

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// PDF is a sound PDF with a page for each text.
func PDF(pages ...string) []byte {
	kids, objects := "", []string{"", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"}
	for i, text := range pages {
		kids += fmt.Sprintf("%d 0 R ", 4+2*i)
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 612 792] /Contents %d 0 R >>", 5+2*i),
			stream("", "BT /F1 12 Tf 72 720 Td ("+text+") Tj ET"))
	}
	objects[0] = "<< /Type /Catalog /Pages 2 0 R >>"
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids, len(pages))
	return file(objects, "")
}

// PDFs are files that tempt a reader of PDF to run without an end, out of its stack or out of memory.
func PDFs() map[string][]byte {
	catalog := "<< /Type /Catalog /Pages 2 0 R >>"
	table := file([]string{catalog, "<< /Type /Pages /Kids [] /Count 0 >>"}, "/Prev 0000000000")
	at := bytes.Index(table, []byte("xref\n0"))
	loop := bytes.Replace(table, []byte("/Prev 0000000000"), fmt.Appendf(nil, "/Prev %010d", at), 1)
	huge := bytes.Replace(table, []byte("xref\n0 3\n"), []byte("xref\n2000000000 3\n"), 1)
	head := "%PDF-1.5\n"
	own := head + "1 0 obj\n" + stream("/Type /XRef /Size 6 /W [1 1 1] /Root 5 0 R",
		"\x00\x00\x00\x01"+string(rune(len(head)))+"\x00"+strings.Repeat("\x00", 9)+"\x02\x05\x00") +
		fmt.Sprintf("\nendobj\nstartxref\n%d\n%%%%EOF\n", len(head))
	bomb := file([]string{
		catalog, "<< /Type /Pages /Kids [4 0 R] /Count 1 >>", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		"<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>",
		stream("/Filter /FlateDecode", packed("BT /F1 12 Tf ", "(all work and no play) Tj ", 8<<20)),
	}, "")
	return map[string][]byte{
		"stream in itself": []byte(own), "endless chain of tables": loop, "huge table": huge, "bomb": bomb,
		"pages that hold themselves": file([]string{catalog, "<< /Type /Pages /Kids [2 0 R] /Count 10 >>"}, ""),
	}
}

// stream is an object with a stream.
func stream(entries, data string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", entries, len(data), data)
}

// packed are many times the same words, compressed.
func packed(start, again string, times int) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(start))
	many := strings.Repeat(again, 1<<10)
	for range times >> 10 {
		_, _ = w.Write([]byte(many))
	}
	_ = w.Close()
	return b.String()
}

// file is a PDF of objects, of which the first is the catalog.
func file(objects []string, trailer string) []byte {
	var b bytes.Buffer
	var at []int
	b.WriteString("%PDF-1.4\n")
	for i, body := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, body)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, trailer, table)
	return b.Bytes()
}
