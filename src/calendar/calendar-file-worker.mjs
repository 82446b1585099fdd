// A worker thread that reads calendar files. They come from outside, so a costly one must not block other
// work.
import {parentPort} from 'node:worker_threads';
import {readCalendarFile} from './calendar-file.js';

parentPort.on('message', ({id, question, about}) => {
  const answering = question === 'load' ? import('ical.js').then(() => null) : readCalendarFile(...about);
  answering.then(
    (answer) => parentPort.postMessage({id, answer}, []),
    (error) => parentPort.postMessage({id, error: String(error)}, []),
  );
});
