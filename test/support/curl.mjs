#!/usr/bin/env node
// Supports the options of curl that tests use, for machines without curl: -sS, -X, -H, -d, -o, -w
// '%{http_code}', -i.
const args = process.argv.slice(2);
const headers = {};
let method;
let body;
let url;
let format;
let quiet = false;
let shown = false;
while (args.length > 0) {
  const word = args.shift();
  if (word === '-X') method = args.shift();
  else if (word === '-H') {
    const [, name, value] = /^([^:]+): *(.*)$/.exec(args.shift());
    headers[name] = value;
  } else if (word === '-d') body = args.shift();
  else if (word === '-o') quiet = Boolean(args.shift());
  else if (word === '-i') shown = true;
  else if (word === '-w') format = args.shift();
  else if (!word.startsWith('-')) url = word;
}
const response = await fetch(url, {method: method ?? (body === undefined ? 'GET' : 'POST'), headers, body});
const text = await response.text();
if (shown) {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`);
  process.stdout.write(`HTTP/1.1 ${response.status} \r\n${lines.join('')}\r\n`);
}
if (!quiet) process.stdout.write(text);
if (format !== undefined) process.stdout.write(format.replace('%{http_code}', String(response.status)));
