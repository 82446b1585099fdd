-- Finds where a delivery is stored; see delivery-blocks.ts.
--- @const eventsPerBlock, offsetInBlock
local function fieldOf(suffix) return string.sub(suffix, 1, 8) .. string.sub(suffix, 16) end
local function isBlockName(entry) return #entry == 7 end
local function blockName(suffix) return string.sub(suffix, 9, 15) end
local function positionOfBlock(sequence) return sequence - sequence % eventsPerBlock + offsetInBlock end
