--- @const committed
return {committed, now, quota, sequence, at}
