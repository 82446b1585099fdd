// A receiver in a separate process, whose memory is not counted as ours. Arguments: port, and the bytes of
// the body that answers every POST with 200. GET returns the number of POSTs.
import {createServer} from 'node:http';

const [port, bytes] = process.argv.slice(2).map(Number);
const filler = 'x'.repeat(bytes);
let answered = 0;

createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    if (request.method === 'GET') return response.end(String(answered));
    answered += 1;
    // Every body is different.
    const body = `${answered} ${filler}`.slice(0, bytes);
    response.writeHead(200, {'content-type': 'text/plain', 'content-length': String(body.length)}).end(body);
  });
}).listen(port, '127.0.0.1');
