import {spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {StopError} from './console.mjs';
import {root} from './paths.mjs';
import {sendToRedis} from './redis-protocol.mjs';

export {ensureRedisServer, findRedisServer} from './redis-binary.mjs';

/**
 * Starts a private Redis on `dataDir`, on the loopback interface, with a free port and a generated password.
 * It ends with this process, even after kill -9. If only Redis is killed, it is restarted on the same port
 * (unless `restart` is false). Throws a StopError when another Redis holds the folder for 10 s, or when the
 * server does not start.
 *
 * `port` and `password` restart a server under the same address. `databases` is the number of databases. Only
 * tests set `lockWaitMs`, and `settings`, more lines of the configuration.
 */
export async function startRedis(options) {
  const {
    bin,
    appendfsync = 'everysec',
    log = () => {},
    restart = true,
    databases = 16,
    settings = [],
  } = options;
  const dataDir = path.resolve(options.dataDir);
  mkdirSync(dataDir, {recursive: true, mode: 0o700});
  const password = options.password ?? randomBytes(24).toString('base64url');
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await findFreePort());
    const url = `redis://default:${password}@127.0.0.1:${port}`;
    // Each port has its own configuration file. A process that waits for the folder must not change the file
    // of the process that uses it.
    const conf = path.join(dataDir, `redis-${port}.conf`);
    writePrivateFile(conf, renderRedisConfig({dataDir, port, password, appendfsync, databases, settings}));
    const logStart = readText(path.join(dataDir, 'redis.log')).length;
    const server = supervise({bin, dataDir, conf, restart, log});
    try {
      await waitUntilReady({server, url, dataDir, logStart, log, lockWaitMs: options.lockWaitMs ?? 10_000});
    } catch (error) {
      await server.stop();
      if (error instanceof PortTaken && options.port === undefined && attempt < 5) continue;
      throw error;
    }
    writePrivateFile(path.join(dataDir, 'redis.json'), `${JSON.stringify({url, pid: process.pid})}\n`);
    return {url, port, password, pid: server.pid, stop: server.stop, stopNow: server.stopNow};
  }
}

class PortTaken extends StopError {}

function supervise({bin, dataDir, conf, restart, log}) {
  const script = path.join(root, 'scripts', 'redis-supervisor.sh');
  const args = [script, bin, conf, path.join(dataDir, 'lock'), path.join(dataDir, 'redis.json')];
  args.push(String(process.pid), restart ? 'yes' : 'no');
  args.push(process.execPath, path.join(root, 'scripts', 'trim-append-only-file.mjs'), dataDir);
  // Redis runs in a separate process group, because Ctrl-C must not reach it before this process has shut
  // down.
  const child = spawn('sh', args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  // The supervisor process must not keep this process alive.
  for (const handle of [child, child.stdin, child.stdout]) handle.unref();
  const state = {pid: undefined, busy: false, exitCode: undefined, ready: false, stopping: false};
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  child.stdin.on('error', () => {});
  createInterface({input: child.stdout}).on('line', (line) => {
    const [report, value] = line.split(' ');
    if (report === 'started') state.pid = Number(value);
    if (report === 'busy') state.busy = true;
    if (report === 'exited') {
      state.exitCode = Number(value);
      state.pid = undefined;
      if (state.ready && !state.stopping)
        log(`Redis ended (${value})${restart ? ', it is started again' : ''}.`);
    }
  });
  return {
    state,
    pid: () => state.pid,
    async stop() {
      state.stopping = true;
      child.ref();
      child.stdin.destroy();
      await ended;
    },
    /**
     * Returns when Redis has written everything and ended. It is for an 'exit' listener, which cannot await.
     */
    stopNow(timeoutMs = 5_000) {
      state.stopping = true;
      if (child.exitCode === null && child.pid !== undefined) sendSignal(child.pid, 'SIGTERM');
      const until = Date.now() + timeoutMs;
      while (state.pid !== undefined && sendSignal(state.pid, 0) && Date.now() < until) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    },
  };
}

function sendSignal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function waitUntilReady({server: {state}, url, dataDir, logStart, log, lockWaitMs}) {
  const startedAt = Date.now();
  let said = false;
  for (;;) {
    if (state.exitCode !== undefined) throw describeStartFailure(state.exitCode, dataDir, logStart);
    const reply = await sendToRedis(url, [['PING']], 1_000).catch((error) => error.message);
    if (reply[0] === 'PONG') {
      state.ready = true;
      return;
    }
    if (state.busy && Date.now() - startedAt > lockWaitMs) throw new StopError(describeHeldFolder(dataDir));
    if (!said && Date.now() - startedAt > 1_000) {
      said = true;
      log(state.busy ? `Waiting for another Redis to leave ${dataDir} …` : 'Waiting for Redis …');
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function describeHeldFolder(dataDir) {
  const [owner, server] = readText(path.join(dataDir, 'lock')).trim().split(' ');
  const holder = owner ? `process ${owner} (its Redis is process ${server})` : 'another process';
  return `${dataDir} is in use by ${holder}. Stop that one first, or choose another folder with DATA_DIR.`;
}

function describeStartFailure(code, dataDir, logStart) {
  if (code === 76)
    return new StopError(
      'The embedded Redis needs the program flock or perl. Install one, or set REDIS_URL.',
    );
  const lines = readText(path.join(dataDir, 'redis.log')).slice(logStart).trim().split('\n');
  if (lines.some((line) => line.includes('Address already in use')))
    return new PortTaken('No free port for Redis.');
  const reason = lines.findLast((line) => line.includes(' # '))?.replace(/^.* # /, '') ?? `exit code ${code}`;
  return new StopError(
    `The embedded Redis did not start: ${reason} (see ${path.join(dataDir, 'redis.log')})`,
  );
}

function renderRedisConfig({dataDir, port, password, appendfsync, databases, settings}) {
  return `${[
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(dataDir)}`,
    `logfile ${JSON.stringify(path.join(dataDir, 'redis.log'))}`,
    `databases ${databases}`,
    'daemonize no',
    'appendonly yes',
    `appendfsync ${appendfsync}`,
    'save ""',
    'maxmemory-policy noeviction',
    ...settings,
  ].join('\n')}\n`;
}

/**
 * Finds a free port below the range for outgoing connections. A port in that range could be given to a client
 * that keeps trying to connect while Redis restarts.
 */
async function findFreePort() {
  for (;;) {
    const port = 15_000 + (randomBytes(2).readUInt16BE() % 17_000);
    const server = net.createServer();
    const isFree = await new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

function writePrivateFile(file, text) {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text, {mode: 0o600});
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
