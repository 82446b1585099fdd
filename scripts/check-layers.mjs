import path from 'node:path';
import {StopError, runLauncher, say} from './console.mjs';
import {checkLayers} from './layer-rules.mjs';
import {root} from './paths.mjs';
import {checkWebLayers} from './web-layer-rules.mjs';

/** Checks the import rules of src/ and web/, or only of a src/ folder that is given as an argument. */
await runLauncher(async () => {
  const given = process.argv[2];
  check(checkLayers, path.resolve(given ?? path.join(root, 'src')));
  if (given === undefined) check(checkWebLayers, path.join(root, 'web'));
});

function check(rules, folder) {
  const {files, violations} = rules(folder);
  if (files === 0) throw new StopError(`No source was found below ${folder}: nothing was checked.`);
  for (const {file, line, message} of violations) say(`${path.join(folder, file)}:${line}: ${message}`);
  if (violations.length > 0)
    throw new StopError(`${violations.length} breaks of the layers in ${files} files.`);
  say(`The layers hold in ${files} files.`);
}
