// A webhook receiver in a separate process, so that its memory does not count as the test's. Arguments: port
// and body size. It answers every POST with 200 and a body of that many bytes; GET returns the number of
// POSTs.
import {createServer} from 'node:http';

const [port, bytes] = process.argv.slice(2).map(Number);
const filler = 'x'.repeat(bytes);
let answered = 0;

createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    if (request.method === 'GET') return response.end(String(answered));
    answered += 1;
    // Every response body is different.
    const body = `${answered} ${filler}`.slice(0, bytes);
    response.writeHead(200, {'content-type': 'text/plain', 'content-length': String(body.length)}).end(body);
  });
}).listen(port, '127.0.0.1');
