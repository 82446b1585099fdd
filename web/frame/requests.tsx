import {useState, useSyncExternalStore} from 'react';
import {listRecordedRequests, onRecorded, type RecordedRequest} from '../api/record.ts';
import {Button} from '../parts/button.tsx';
import {texts} from '../texts/texts.ts';
import {Overlay} from './overlay.tsx';

export function Requests({onClose}: {onClose: () => void}) {
  const recorded = useSyncExternalStore(onRecorded, listRecordedRequests);
  const [copied, setCopied] = useState<number>();
  const {requests} = texts.palette;
  const copy = async (request: RecordedRequest): Promise<void> => {
    await navigator.clipboard.writeText(formatAsCurl(request, location.origin));
    setCopied(request.id);
  };
  return (
    <Overlay title={texts.frame.requests} placement="side" onClose={onClose}>
      <p className="text-quiet">{requests.intro}</p>
      {recorded.length === 0 && <p className="text-quiet">{requests.none}</p>}
      <ol>
        {recorded.map((request) => (
          <li className="border-t border-line py-2" key={request.id}>
            <div className="flex gap-2">
              <span className="w-14 flex-none text-xs/5 font-semibold">{request.method}</span>
              <code className="min-w-0 font-mono text-xs/5 wrap-anywhere">{request.path}</code>
            </div>
            <div className="flex flex-wrap gap-2 text-xs text-quiet">
              <span
                className={
                  request.status >= 400 || request.status === 0 ? 'font-semibold text-missed' : undefined
                }
              >
                {request.status === 0 ? requests.noAnswer : request.status}
              </span>
              <span>{requests.ms({ms: Math.round(request.ms)})}</span>
              {request.requestId !== undefined && <span>{requests.id({id: request.requestId})}</span>}
            </div>
            <details>
              <summary className="min-h-6 w-fit cursor-pointer text-xs/6 text-accent">curl</summary>
              <pre className="mt-1 mb-2 min-w-0 rounded-md bg-inset p-2 font-mono text-xs/5 wrap-anywhere whitespace-pre-wrap">
                {formatAsCurl(request, location.origin)}
              </pre>
              <Button icon="copy" size="small" onPress={() => void copy(request)}>
                {requests.copy}
              </Button>
              <p className="mt-1 text-xs text-quiet empty:hidden" role="status">
                {copied === request.id ? requests.copied : ''}
              </p>
            </details>
          </li>
        ))}
      </ol>
    </Overlay>
  );
}

/** Converts a recorded request to a curl command; the person who runs the command adds the token. */
function formatAsCurl({method, path, body, idempotencyKey}: RecordedRequest, origin: string): string {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${quote(`${origin}${path}`)}`,
    `-H "Authorization: Bearer $STANDUP_TOKEN"`,
    ...(idempotencyKey === undefined ? [] : [`-H ${quote(`Idempotency-Key: ${idempotencyKey}`)}`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quote(body)}`]),
  ];
  return lines.join(' \\\n  ');
}
