import type {ReactNode} from 'react';
import type {Schema} from '../api/schema.ts';

/** How a webhook is served, and how that is changed. */
export const WebhookSettings: (props: {readonly webhook: Schema<'Webhook'>}) => ReactNode = () => null;
