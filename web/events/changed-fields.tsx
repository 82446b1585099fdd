import type {Event} from '../api/schema.ts';
import {texts} from '../texts/texts.ts';
import styles from './changed-fields.module.css';

/** Shows each changed field with its old value beside the new one. */
export function ChangedFields({event: {data, previous_attributes: previous = {}}}: {readonly event: Event}) {
  const t = texts.events.inspector;
  const rows = Object.entries(previous);
  if (rows.length === 0) return null;
  return (
    <section>
      <h3 id="changed">{t.changed}</h3>
      <div className="overflow-x-auto">
        <table aria-labelledby="changed" className={styles['changed']}>
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
