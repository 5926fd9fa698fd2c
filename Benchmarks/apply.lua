-- POST of the action form, each code once, one wrk thread; counts 303 and everything else, so that used-up codes would be seen.
package.path = os.getenv("HERE") .. "/?.lua;" .. package.path
local codes = require("codes")
i, ok, other = 0, 0, 0
local headers = { ["Content-Type"] = "application/x-www-form-urlencoded", ["Sec-Fetch-Site"] = "same-origin" }
request = function()
  i = i + 1
  local entry = codes.all[i] or codes.all[1]
  return wrk.format("POST", "/__/auth/action", headers, codes.link .. entry.code .. "&token=" .. entry.token)
end
response = function(status) if status == 303 then ok = ok + 1 else other = other + 1 end end
local threads = {}
setup = function(thread) table.insert(threads, thread) end
done = function(summary)
  for _, thread in ipairs(threads) do
    print(string.format("applied %d other %d per second %.0f", thread:get("ok"), thread:get("other"), thread:get("ok") / summary.duration * 1e6))
  end
end
