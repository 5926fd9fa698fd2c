-- Shared by page.lua and apply.lua: the codes that seed.py made, from the file CODES.
local codes = {}
for line in io.lines(os.getenv("CODES")) do
  local code, token = line:match("^(%S+) (%S+)$")
  codes[#codes + 1] = { code = code, token = token }
end
local link = "mode=verifyEmail&apiKey=" .. (os.getenv("API_KEY") or "bench-key") .. "&oobCode="
return { all = codes, link = link }
