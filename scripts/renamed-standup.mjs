// `npm run standup` of earlier states. It may go with the release after 0.1.0.
const args = process.argv.slice(2).join(' ');
process.stderr.write(
  `The command of the operator is now standup-admin: npm run -s admin -- ${args}`.trimEnd() + '\n',
);
process.exitCode = 2;
