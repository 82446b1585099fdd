export const tokens = {
  title: 'Access tokens',
};
