const path = require('node:path');
const {default: Sequencer} = require('@jest/test-sequencer');

/**
 * Folders that start first, since their files wait for processes or take longest. The other files fill the
 * idle time.
 */
const first = ['e2e', 'faults', 'web', 'bot', 'jobs'];

/**
 * Sorts all test files into one queue. A file that starts last and takes a minute would leave the other
 * workers idle.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const rank = ({path: file}) => {
      const at = first.indexOf(path.relative(path.join(__dirname, '..'), file).split(path.sep)[0]);
      return at === -1 ? first.length : at;
    };
    return super.sort([...tests]).sort((one, other) => rank(one) - rank(other));
  }
};
