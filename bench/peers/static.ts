import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';

/** The ceiling of a read: a bare server that answers every request with the same bytes. */
const {status, headers, body} = JSON.parse(readFileSync(process.env['ANSWER'] ?? '', 'utf8')) as {
  status: number;
  headers: [string, string][];
  body: string;
};
const bytes = Buffer.from(body);

createServer((request, response) => {
  request.resume();
  response.writeHead(status, headers.flat()).end(bytes);
}).listen(Number(process.env['PORT']), '127.0.0.1');
