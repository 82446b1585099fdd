import {cpSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {rolldown} from 'rolldown';
import {cacheFolder, root} from './paths.mjs';

const folder = path.join(root, 'packages', 'cli');
const output = path.join(cacheFolder, 'command', 'package');

/** Writes the command for people as a package of one file, to install or to pack. Returns its folder. */
export async function packCommand() {
  rmSync(output, {recursive: true, force: true});
  mkdirSync(output, {recursive: true});
  const bundle = await rolldown({
    cwd: root,
    input: {standup: path.join(folder, 'src', 'main.ts')},
    platform: 'node',
    tsconfig: true,
    onwarn: (warning) => {
      throw new Error(warning.message);
    },
  });
  await bundle.write({
    dir: output,
    format: 'esm',
    minify: {compress: true, mangle: false, codegen: true},
    entryFileNames: '[name].js',
  });
  await bundle.close();
  const described = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const {version, license} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const {private: _, ...published} = described;
  writeFileSync(
    path.join(output, 'package.json'),
    `${JSON.stringify({...published, version, license, files: ['standup.js']}, null, 2)}\n`,
  );
  cpSync(path.join(folder, 'README.md'), path.join(output, 'README.md'));
  cpSync(path.join(root, 'LICENSE'), path.join(output, 'LICENSE'));
  return output;
}

if (process.argv[1] === import.meta.filename) {
  const written = path.relative(process.cwd(), await packCommand());
  process.stdout.write(
    `The command is in ${written}. Install it: npm install -g ./${written}\nThen sign in: standup login http://localhost:3000\n`,
  );
}
