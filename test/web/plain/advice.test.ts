import {expect, it} from '@jest/globals';
import {Problem} from '../../../web/api/problem.ts';
import {findAdvice} from '../../../web/parts/as-problem.ts';

it('a change that a read-only workspace refuses shows that the workspace is being moved', () => {
  const problem = new Problem({
    status: 503,
    code: 'workspace_read_only',
    title: 'Read-only',
    detail: 'Moved.',
  });
  expect(findAdvice(problem)).toBe(
    'The workspace is being moved, so nothing can be changed for a while. Your entries stay here: try again later.',
  );
  const busy = new Problem({status: 503, code: 'service_unavailable', title: 'Busy', detail: 'Busy.'});
  expect(findAdvice(busy)).toMatch(/^The service is busy/);
});
