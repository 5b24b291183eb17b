"""The style sheet of a league's page: dark, readable at any width, without anything from elsewhere."""

STYLE = """
:root{color-scheme:dark;--night:#0b0f1c;--panel:#131a2c;--edge:#28324d;--text:#edf1fb;--soft:#a8b3cc;--dim:#7683a1;
--left:#40c9ff;--right:#ff6a4d;--gold:#ffc94d;--good:#6fe3a0}
*{box-sizing:border-box}
body{margin:0;background:var(--night);color:var(--text);font:16px/1.5 system-ui,"Segoe UI",Roboto,sans-serif}
main{max-width:1040px;margin:0 auto;padding:28px 20px 60px}
header{border-bottom:1px solid var(--edge);padding-bottom:14px;margin-bottom:8px}
.brand{color:var(--gold);font-weight:700;letter-spacing:.12em;font-size:13px;margin:0}
h1{font-size:clamp(22px,4.4vw,34px);line-height:1.2;margin:6px 0}
h2{font-size:19px;margin:34px 0 10px}
.state{color:var(--soft);margin:4px 0}
.verdict{color:var(--gold);margin:4px 0}
pre{background:var(--panel);border:1px solid var(--edge);border-radius:8px;padding:10px 12px;white-space:pre-wrap;
overflow-wrap:anywhere;font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;color:var(--soft);margin:12px 0 4px}
figure{margin:0}
.note{color:var(--dim);font-size:14px;margin:8px 0 0}
.scroll{overflow-x:auto;-webkit-overflow-scrolling:touch;background:
linear-gradient(90deg,var(--night) 40%,transparent) 0 0/46px 100% local,
linear-gradient(270deg,var(--night) 40%,transparent) 100% 0/46px 100% local,
linear-gradient(90deg,rgba(64,201,255,.45),transparent) 0 0/18px 100% scroll,
linear-gradient(270deg,rgba(64,201,255,.45),transparent) 100% 0/18px 100% scroll;background-repeat:no-repeat}
.lead{font-size:clamp(17px,2.4vw,21px);line-height:1.4;margin:12px 0}
.hint{display:none;color:var(--left);font-size:14px;margin:14px 0 -8px}
.curve{width:100%;height:auto;min-width:560px}.line{fill:none;stroke-width:2.5;stroke-linejoin:round}
.bound{stroke:var(--right);stroke-width:2;stroke-dasharray:7 6}.end{fill:var(--text);font-size:14px}
h3{font-size:17px;margin:0}.orders{white-space:pre-wrap;overflow-wrap:anywhere;margin:10px 0 0}
.best{display:block;text-decoration:none;border:1px solid var(--edge);border-radius:10px;overflow:hidden}
.best{max-width:640px}
.best span{display:block;padding:12px 16px}.poster{display:block;width:100%;height:auto}
svg{display:block;font-family:inherit}
.ratings{width:100%;height:auto}.narrow{display:none}.narrow .name{text-anchor:start}
.heat{width:100%;height:auto}
.share{width:100%;height:auto}
.grid{stroke:var(--edge)}.zero{stroke:var(--dim)}
.tick{fill:var(--dim);font-size:13px;text-anchor:middle}
.name{fill:var(--text);font-size:15px;text-anchor:end}
.value{fill:var(--text);font-size:15px;font-weight:700;text-anchor:end}
.bar{stroke:var(--left);stroke-width:5;opacity:.55}.cap{stroke:var(--left);stroke-width:2;fill:none}
.point{fill:var(--gold)}
.hover{fill:transparent}g:hover>.hover{fill:rgba(255,255,255,.04)}
.none{fill:var(--panel)}.part{fill:var(--left)}.half{stroke:var(--gold);stroke-width:2}
.score{font-size:15px;text-anchor:middle}.score.dark{fill:#08101c;font-weight:600}.score.light{fill:var(--text)}
table{border-collapse:collapse;width:100%;margin-top:14px;font-variant-numeric:tabular-nums;font-size:15px}
th{color:var(--dim);font-weight:600;font-size:13px;vertical-align:bottom}
th,td{padding:7px 10px;text-align:right;border-bottom:1px solid var(--edge);white-space:nowrap}
.text{text-align:left}.wrap{white-space:normal;overflow-wrap:break-word;min-width:110px}
.bold{font-weight:700}.good{color:var(--dim)}.bad{color:var(--right);font-weight:700}
tbody tr:hover{background:rgba(255,255,255,.03)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(280px,1fr));gap:16px;margin-top:28px}
.card{background:var(--panel);border:1px solid var(--edge);border-radius:10px;padding:16px 18px}
.card h2{margin:0}.big{font-size:32px;font-weight:700;margin:4px 0 8px}
.card .none{fill:var(--night)}
details{border-bottom:1px solid var(--edge);padding:8px 0}summary{cursor:pointer}summary span{color:var(--dim)}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:16px;margin-top:28px}
.tile{display:block;color:inherit;text-decoration:none}.tile:hover{border-color:var(--left)}
.tile h2{color:var(--left)}.tile .narrow{display:block}
.links{display:flex;flex-wrap:wrap;gap:4px 12px;margin:8px 0;font-size:14px}
a{color:var(--left)}
@media (max-width:1360px){.much{display:block}}
@media (max-width:560px){main{padding:18px 14px 40px}.wide{display:none}.narrow{display:block}.hint{display:block}
.heat .name,.heat .tick{font-size:17px}th,td{padding:6px 7px}}
"""
