import {expect, it} from '@jest/globals';
import {dataFormats} from '../../src/store/core/installation.js';
import {report} from './audit.js';
import {buildEarlier, buildPlanted, listEarlierCommits} from './builds.js';
import {playVersions} from './versions-stage.js';

/** Number of minutes at which runs open. */
const minutes = Number(process.env['VERSION_MINUTES'] ?? 1);
const found = listEarlierCommits();
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : '';
const commits = 'missing' in found ? [] : found.commits;

/** The second of the two releases that change a format. */
const nextFormat = [
  {
    file: 'src/store/core/installation.ts',
    from: `{reads: [${dataFormats.reads.join(', ')}], writes: ${dataFormats.writes}}`,
    to: `{reads: [${dataFormats.writes}, ${dataFormats.writes + 1}], writes: ${dataFormats.writes + 1}}`,
  },
];

/** Stores `text` where all versions have `update`. The changed version itself reads both. */
const renamedField = [
  {
    file: 'src/store/commit/record-writes.ts',
    from: 'splitAtProvisionalId(write.draft, ',
    to: `splitAtProvisionalId(write.draft.replace('"update":', '"text":'), `,
  },
  {
    file: 'src/store/core/earlier-records.ts',
    from: '  kept: WireJson<R>,\n',
    to: `  stored: WireJson<R>,\n`,
  },
  {
    file: 'src/store/core/earlier-records.ts',
    from: '  // Text that people wrote cannot look',
    to: `  const kept = stored.replace('"text":', '"update":') as WireJson<R>;\n  // Text that people wrote cannot look`,
  },
];

(commits.length > 0 ? it : it.skip)(
  `the build of an earlier commit and this one lose, double and reorder nothing on one store${reason}`,
  async () => {
    const earlier = await buildEarlier(commits);
    const later = {folder: process.cwd(), name: 'this source tree'};
    const counts = await playVersions({earlier, later, minutes});
    report(`two versions, ${earlier.name} beside ${later.name}`, counts);
  },
  600_000 + 90_000 * minutes,
);

it('a build that stores a record in another form at once is found beside the one before it', async () => {
  const later = await buildPlanted('a field is renamed', renamedField);
  const earlier = {folder: process.cwd(), name: 'this source tree'};
  await expect(playVersions({earlier, later, minutes: 0})).rejects.toThrow('update');
}, 600_000);

it('a build with a newer data format runs beside this one, and raises the format only when it runs alone', async () => {
  const later = await buildPlanted('the next data format', nextFormat);
  const earlier = {folder: process.cwd(), name: 'this source tree'};
  const counts = await playVersions({earlier, later, minutes: 0});
  expect(counts).toMatchObject({isRaised: true, repeats: 0});
}, 600_000);
