import type {Problem} from '../../api/problem.ts';
import {findText, texts} from '../../texts/texts.ts';
import {ProblemNote} from '../problem-note.tsx';

/** Shows why a passkey did not work: in the browser, or at the service. */
export function PasskeyProblem({problem}: {readonly problem: Problem}) {
  const said = findText(texts.passkeys.problems, problem.code);
  return said === undefined ? (
    <ProblemNote problem={problem} />
  ) : (
    <p className="text-pretty" role="alert">
      {said}
    </p>
  );
}
