import {beforeAll, describe, expect, it} from '@jest/globals';
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {parse} from 'yaml';
import {createMetrics} from '../../src/metrics/metrics.js';
import {listFragments} from '../support/document-links.js';
import {root} from '../../scripts/paths.mjs';

/** Parsed YAML or JSON. Its type allows everything, since the tests check its shape. */
type Json = any;

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const alerts: readonly Json[] = parse(read('ops/prometheus/rules.yml')).groups.flatMap(
  (group: Json) => group.rules,
);
const cases: readonly Json[] = parse(read('ops/prometheus/rules.test.yml')).tests.flatMap(
  (test: Json) => test.alert_rule_test,
);
const dashboard = JSON.parse(read('ops/grafana/standup.json'));
const panels: readonly Json[] = dashboard.panels;

/** The names of all metrics that a process shows, apart from those that only Linux has. */
let known: ReadonlySet<string>;

beforeAll(async () => {
  const refuse = () => Promise.reject(new Error('there is no store'));
  const {render} = createMetrics('test', {
    readBacklog: refuse,
    readStoreState: async () => 'unreachable',
    readServers: refuse,
    readWorkers: refuse,
  });
  const {text} = await render();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  known = new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
});

/** Lists the metrics in an expression of Prometheus. */
const namesIn = (expression: string) =>
  [...expression.matchAll(/\b(?:standup|nodejs|process)_\w+/g)].map(([name]) => name);

const expressions: readonly (readonly [owner: string, expression: string])[] = [
  ...alerts.map(({alert, expr}) => [alert, expr] as const),
  ...panels.flatMap(({title, targets = []}) =>
    targets.map(({expr}: Json) => [`panel ${title}`, expr] as const),
  ),
];

it.each(expressions)('%s uses metrics that the service has', (_, expression) => {
  const names = namesIn(expression);
  expect(names.length + Number(/\bup\{/.test(expression))).toBeGreaterThan(0);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

it('the check of metrics finds a metric that the service does not have', () => {
  const names = namesIn('rate(standup_http_requests_total[5m]) > standup_misspelt{a="b"}');
  expect(names.filter((name) => !known.has(name))).toEqual(['standup_misspelt']);
});

describe.each(alerts.map(({alert, ...rule}) => [alert as string, rule] as const))('%s', (alert, rule) => {
  it('leads to a page of the runbook, and to a heading if it names one', () => {
    const [file = '', heading] = rule['annotations'].runbook_url.split('#');
    expect(file).toMatch(/^docs\/operating\/.+\.md$/);
    expect(existsSync(path.join(root, file))).toBe(true);
    if (heading !== undefined) expect(listFragments(read(file))).toContain(heading);
  });

  it('has a severity, and a summary that is a sentence', () => {
    expect(['critical', 'warning']).toContain(rule['labels'].severity);
    expect(rule['annotations'].summary).toMatch(/^[A-Z].+\.$/);
  });

  it('is tested while all is well, and when it fires', () => {
    const own = cases
      .filter(({alertname}) => alertname === alert)
      .map(({exp_alerts: expected}) => expected.length > 0);
    expect(own).toEqual(expect.arrayContaining([false, true]));
  });
});

describe('the dashboard of Grafana', () => {
  it('gives each panel an id of its own, and a place that no other panel has', () => {
    const ids = panels.map(({id}) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = panels.flatMap(({gridPos: {x, y, w, h}}) =>
      Array.from({length: w * h}, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const {gridPos} of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });

  it('uses the variables that it declares, and no other', () => {
    const declared = dashboard.templating.list.map(({name}: Json) => name);
    const used = [...JSON.stringify(dashboard).matchAll(/\$\{?(?!__)(\w+)/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(declared));
  });
});
