// A receiver in a process of its own, whose memory is not counted as ours. Arguments: port, and the bytes of the body that answers every POST
// with 200. GET tells how many there were.
import {createServer} from 'node:http';

const [port, bytes] = process.argv.slice(2).map(Number);
const filler = 'x'.repeat(bytes);
let answered = 0;

createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    if (request.method === 'GET') return response.end(String(answered));
    answered += 1;
    // No two bodies are the same.
    const body = `${answered} ${filler}`.slice(0, bytes);
    response.writeHead(200, {'content-type': 'text/plain', 'content-length': String(body.length)}).end(body);
  });
}).listen(port, '127.0.0.1');
