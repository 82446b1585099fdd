-- Counts a post for a run. The count stays after the last post.
--- @keys runPosts
--- @const runPostsLifetime
redis.call('INCR', runPosts)
redis.call('EXPIRE', runPosts, runPostsLifetime)
