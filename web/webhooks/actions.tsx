import type {ReactNode} from 'react';
import type {Schema} from '../api/schema.ts';

/** What can be done with a webhook as a whole, in the head of its page. */
export const WebhookActions: (props: {readonly webhook: Schema<'Webhook'>}) => ReactNode = () => null;
