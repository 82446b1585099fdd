import type {Event} from '../api/schema.ts';
import {texts} from '../texts/texts.ts';

export function ChangedFields({event: {data, previous_attributes: previous = {}}}: {readonly event: Event}) {
  const t = texts.events.inspector;
  const rows = Object.entries(previous);
  if (rows.length === 0) return null;
  return (
    <section>
      <h3 id="changed">{t.changed}</h3>
      <div className="overflow-x-auto">
        <table
          aria-labelledby="changed"
          className="w-full text-sm/4.5 [&_:is(th,td)]:py-1.5 [&_:is(th,td)]:pe-3 [&_:is(th,td)]:text-start [&_:is(th,td)]:align-top [&_tbody_tr>*]:border-t [&_tbody_tr>*]:border-line [&_td]:whitespace-pre-wrap [&_th]:font-[500] [&_th]:whitespace-nowrap [&_th]:text-quiet"
        >
          <thead>
            <tr>
              <th scope="col">{t.field}</th>
              <th scope="col">{t.before}</th>
              <th scope="col">{t.after}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([field, before]) => (
              <tr key={field}>
                <th scope="row">
                  <code>{field}</code>
                </th>
                <td dir="auto">{formatFieldValue(before)}</td>
                <td dir="auto">{formatFieldValue(data?.[field])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function formatFieldValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return texts.events.inspector.nothing;
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
}
