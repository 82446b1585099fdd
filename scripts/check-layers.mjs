import path from 'node:path';
import {StopError, runLauncher, say} from './console.mjs';
import {checkLayers} from './layer-rules.mjs';
import {root} from './paths.mjs';

/** Checks the layers of src/, or of the folder given as argument. */
await runLauncher(async () => {
  const folder = path.resolve(process.argv[2] ?? path.join(root, 'src'));
  const {files, violations} = checkLayers(folder);
  if (files === 0) throw new StopError(`No source was found below ${folder}: nothing was checked.`);
  for (const {file, line, message} of violations) say(`${path.join(folder, file)}:${line}: ${message}`);
  if (violations.length > 0)
    throw new StopError(`${violations.length} breaks of the layers in ${files} files.`);
  say(`The layers hold in ${files} files.`);
});
