import net from 'node:net';

/**
 * Sends commands to the Redis server at `url` (redis://user:password@host:port/database). Resolves to the
 * replies: strings, numbers and null. Rejects on an error reply, a refused connection, or after `timeoutMs`.
 * Scripts use it before any package is installed.
 */
export function sendToRedis(url, commands, timeoutMs = 10_000) {
  const {hostname, port, username, password, pathname} = new URL(url);
  const setup = [];
  if (password) setup.push(['AUTH', decodeURIComponent(username) || 'default', decodeURIComponent(password)]);
  if (pathname.length > 1) setup.push(['SELECT', pathname.slice(1)]);
  const all = [...setup, ...commands];
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port || 6379), hostname);
    const fail = (error) => {
      socket.destroy();
      reject(error);
    };
    let received = '';
    socket.setTimeout(timeoutMs, () => fail(new Error(`no answer within ${timeoutMs} ms`)));
    socket.once('error', fail);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      const replies = readReplies(received, all.length);
      if (replies === undefined) return;
      const error = replies.find((reply) => reply instanceof Error);
      if (error) return fail(error);
      socket.end();
      resolve(replies.slice(setup.length));
    });
    socket.write(all.map(encodeCommand).join(''));
  });
}

function encodeCommand(args) {
  const parts = args.map(String).map((arg) => `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`);
  return `*${parts.length}\r\n${parts.join('')}`;
}

/**
 * Returns the first `count` replies, or undefined until all have arrived. The list ends at an error reply.
 */
function readReplies(text, count) {
  const replies = [];
  let at = 0;
  while (replies.length < count) {
    const end = text.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const line = text.slice(at + 1, end);
    at += line.length + 3;
    const kind = text[end - line.length - 1];
    if (kind === '-') return [...replies, new Error(line)];
    if (kind === '+') replies.push(line);
    else if (kind === ':') replies.push(Number(line));
    else if (kind === '$' && line === '-1') replies.push(null);
    else if (kind === '$') {
      const length = Number(line);
      if (text.length < at + length + 2) return undefined;
      replies.push(Buffer.from(text.slice(at, at + length), 'latin1').toString('utf8'));
      at += length + 2;
    } else return [...replies, new Error(`a reply of a kind that is not read here: ${kind}`)];
  }
  return replies;
}
