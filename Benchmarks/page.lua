-- GET of the action page, each live code in turn.
package.path = os.getenv("HERE") .. "/?.lua;" .. package.path
local codes = require("codes")
local i = 0
request = function()
  i = i % #codes.all + 1
  return wrk.format("GET", "/__/auth/action?" .. codes.link .. codes.all[i].code)
end
