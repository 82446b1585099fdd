export const webhooks = {
  title: 'Webhooks',
};
